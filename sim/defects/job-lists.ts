/** Changes to how jobs are listed: what most defects of lists are made of (section 4.6). */
import type { Changes, Door, Inside } from "../facade/index.ts";
import type { JobPage, JobQuery } from "../facade/job-list.ts";
import type { JobRecord } from "../facade/jobs.ts";

/** Another choice of what a list is made of. */
export const listed = (
  of: (inside: Inside, wallet: number, query: JobQuery, honest: readonly JobRecord[]) => readonly JobRecord[],
): Changes => ({
  door: (honest) => ({
    listedJobs: (inside, wallet, query) => of(inside, wallet, query, honest.listedJobs(inside, wallet, query)),
  }),
});

/** Another page. */
export const paged = (
  page: (given: { inside: Inside; jobs: readonly JobRecord[]; query: JobQuery; honest: Door["pageOf"] }) => JobPage,
): Changes => ({
  door: ({ pageOf }) => ({ pageOf: (inside, jobs, query) => page({ inside, jobs, query, honest: pageOf }) }),
});

/** Another idea of which jobs match. */
export const matching = (
  matches: (record: JobRecord, query: JobQuery, inside: Inside, honest: (query: JobQuery) => boolean) => boolean,
): Changes => ({
  door: (honest) => ({
    matches: (inside, record, query) =>
      matches(record, query, inside, (other) => honest.matches(inside, record, other)),
  }),
});
