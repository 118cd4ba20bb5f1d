/** The first files that `assay init` writes. Each runs as it stands, and says beside each line what it is for. */

export interface Template {
  readonly kind: string;
  readonly describe: string;
  /** Where it is written unless told. */
  readonly file: string;
  readonly text: string;
  /** What to do with it. */
  readonly next: (file: string) => string;
}

const scenario = `# A world to run: assay run FILE
#
# Question: can two native workers carry a small chat service, and how long does a client wait?
# Answer to expect: every request settles; half of the first tokens are there within two seconds.
#
# All fields, with their meaning: docs/reference.md, or assay schema scenario.

name: first world
seed: 1          # another seed is another draw of chance; the same seed is the same run, to the last bit
duration: 30min  # no request comes after that; what is under way then is finished

workers:
  - kind: native          # native: paid 85 % of a job, needs a stake. browser: paid 75 %, needs none
    count: 2
    slots: 4              # jobs that one of them runs at once
    token_time: 30ms      # between two output tokens; also "lognormal(median=30ms, sigma=0.2)"

clients:
  - name: chat
    wallets: 20
    units: 2000           # each wallet starts with; 100 units are one unit of the stablecoin
    arrivals: { process: poisson, rate: 0.2 }   # requests a second
    models: { grove-8b: 3, brook-3b: 1 }        # ids with weights
    max_tokens: 500
    top_up: { below: 200, units: 1000 }

# What goes wrong, one at a time: take the # away and run again.
#
#   a worker that never finishes one job in twenty    silent: 0.05       (beneath workers)
#   a worker that cheats one time in fifty            dishonest: 0.02    (beneath workers)
#   clients who check one answer in ten               checks: { share: 0.1 }    (beneath clients)
`;

const target = `# What the judge is told of a service: assay conform --config FILE
#
# A flag goes before an environment variable (ASSAY_BASE_URL, ASSAY_KEY, ...), and that before this file.
# All settings: docs/reference.md, or assay schema settings.

base-url: http://127.0.0.1:8080   # without /v1

# Keys do not belong into files: set ASSAY_KEYS to one key, or to several with commas between. The first is the main one; a
# second of another wallet lets the judge see whether wallets are kept apart.

# The maker's word in headers such as x-service-job-id.
brand: service

# The deployment's test controls, if it has any: they let the judge move time, make wallets and break workers (docs/test-controls.md).
# Their token belongs into ASSAY_CONTROL_TOKEN.
# control: http://127.0.0.1:8081

# JSON-RPC of the settlement chain, to hold receipts against it.
# rpc: http://127.0.0.1:8545

# Webhooks: a public https address that leads to receiver-port on this machine (docs/webhooks.md).
# receiver-url: https://hooks.example.com
# receiver-port: 8443
receiver: true

max-credits: 400   # the most units of your wallet that a run may spend
timeout: 600       # seconds for the whole run
patience: short    # how long to wait where no clock can be moved: none, short, long, or seconds
seed: 1            # of everything that is drawn
runs: 25           # of each property
`;

const study = `# A study: one scenario, some factors, many runs: assay sweep FILE
#
# Question: how much does a third and a fourth worker shorten the wait, when demand doubles?
# Answer to expect: with two workers demand of 0.8 waits long; with three and four the mean sojourn hardly differs.
#
# All fields: docs/reference.md, or assay schema study.

name: workers and demand
seed: 1
replications: 3    # runs of each point, each with a seed of its own: one run is never a result. Take 20 for figures to publish

factors:           # every combination of their values is a point
  - name: workers
    path: workers[0].count
    values: [2, 3, 4]
  - name: rate
    path: clients[0].arrivals.rate
    unit: requests a second
    values: [0.4, 0.8]

metrics: [sojourn.mean, sojourn.p95, jobs.refundedShare]   # shown at the end; all others are recorded, too

scenario:          # or the path of a scenario file
  duration: 20min
  workers:
    - { kind: native, count: 2, slots: 2, token_time: 30ms }
  clients:
    - name: chat
      wallets: 20
      units: 5000
      arrivals: { process: poisson, rate: 0.4 }
      models: { grove-8b: 1 }
      max_tokens: 500
`;

const ci = `# Judges a deployment at each push: a GitHub workflow. Keep it as .github/workflows/assay.yml.
name: conformance
on: [push]
permissions:
  contents: read
jobs:
  judge:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-node@v4
        with:
          node-version: 20
      # Start your service here, or name a deployment that is up.
      - run: npm ci
      - run: npx assay conform "$BASE_URL" --junit junit.xml --markdown summary.md --json report.json --annotations
        env:
          BASE_URL: \${{ vars.BASE_URL }}
          ASSAY_KEYS: \${{ secrets.ASSAY_KEYS }}
          ASSAY_CONTROL: \${{ vars.ASSAY_CONTROL }}
          ASSAY_CONTROL_TOKEN: \${{ secrets.ASSAY_CONTROL_TOKEN }}
      - run: cat summary.md >> "$GITHUB_STEP_SUMMARY"
        if: always()
      - uses: actions/upload-artifact@v4
        if: always()
        with:
          name: conformance
          path: |
            report.json
            junit.xml
`;

export const templates: readonly Template[] = [
  {
    kind: "scenario",
    describe: "a world to run",
    file: "scenario.yaml",
    text: scenario,
    next: (file) => `assay run ${file}`,
  },
  {
    kind: "target",
    describe: "a service to judge",
    file: "assay.yaml",
    text: target,
    next: (file) => `assay conform --config ${file}`,
  },
  {
    kind: "study",
    describe: "a scenario under several conditions",
    file: "study.yaml",
    text: study,
    next: (file) => `assay sweep ${file}`,
  },
  {
    kind: "ci",
    describe: "a GitHub workflow that judges a deployment",
    file: ".github/workflows/assay.yml",
    text: ci,
    next: (file) => `set BASE_URL and ASSAY_KEYS in the repository's settings, and commit ${file}`,
  },
];
