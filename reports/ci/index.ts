/** Reports for machines that gate a release; `junit.ts` is loaded where it is wanted. */
export { toAnnotations } from "./annotations.ts";
export { badgeJson, badgeMessage, badgeSvg } from "./badge.ts";
export { toMarkdown } from "./markdown.ts";
