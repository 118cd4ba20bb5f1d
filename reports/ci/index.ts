/** Reports for machines that gate a release. */
export { toAnnotations } from "./annotations.ts";
export { badgeJson, badgeMessage, badgeSvg } from "./badge.ts";
export { toJUnit } from "./junit.ts";
export { toMarkdown } from "./markdown.ts";
