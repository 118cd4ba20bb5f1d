import fc from "fast-check";
import { Window } from "happy-dom";
import { describe, expect, it } from "vitest";
import { type Content, dataBlock, html, trusted } from "./markup.ts";
import { prose } from "./parts.ts";

const document = new Window().document;

const nasty = fc.oneof(
  fc.string({ unit: "binary" }),
  fc
    .array(
      fc.constantFrom(
        "<",
        ">",
        "&",
        '"',
        "'",
        "`",
        "</script>",
        "<!--",
        "-->",
        "onload=",
        "&lt;",
        "\u0000",
        "\ud800",
        "a",
      ),
      {
        maxLength: 20,
      },
    )
    .map((parts) => parts.join("")),
);

/** What HTML cannot hold, and a parser's own newlines. */
const plain = (text: string): string =>
  text
    .replace(/\p{Surrogate}/gu, "\uFFFD")
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that must go
    .replace(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F\uFFFE\uFFFF]/g, "\uFFFD")
    .replace(/\r\n?/g, "\n");

describe("html", () => {
  it("shows any text as it is, in an element and in an attribute, and makes no element of it", () => {
    fc.assert(
      fc.property(nasty, (text) => {
        const place = document.createElement("div");
        place.innerHTML = html`<p title="${text}">${text}</p>`.text;
        expect(place.querySelectorAll("*").length).toBe(1);
        expect(place.querySelector("p")?.textContent.replace(/\r\n?/g, "\n")).toBe(plain(text));
        expect(place.querySelector("p")?.getAttribute("title")?.replace(/\r\n?/g, "\n")).toBe(plain(text));
      }),
      { numRuns: 300 },
    );
  });

  it("nests markup, joins lists, and leaves nothing for what is nothing", () => {
    const items: Content[] = ["<a>", trusted("<b></b>"), null, false, undefined, 0];
    expect(html`<ul>${items}</ul>`.text).toBe("<ul>&lt;a&gt;<b></b>0</ul>");
  });
});

describe("a data block", () => {
  it("holds any value, and cannot be ended from within", () => {
    fc.assert(
      fc.property(nasty, (text) => {
        const block = dataBlock("x", { text }).text;
        expect(block.match(/<\//g)).toHaveLength(1);
        const json = block.slice(block.indexOf(">") + 1, block.lastIndexOf("<"));
        expect(JSON.parse(json)).toEqual({ text });
      }),
    );
  });
});

describe("prose", () => {
  it("makes code of pairs of backticks only", () => {
    expect(prose("a `b` <c>").text).toBe("a <code>b</code> &lt;c&gt;");
    expect(prose("a ` <c>").text).toBe("a &#96; &lt;c&gt;");
  });
});
