/** Verifies: WEBS-3. */
import { atMost } from "@trunkline/testing/slow-machine"
import { describe, expect, it } from "vitest"
import { textOfMarkup } from "../../../src/gateway/web-search/MarkupText.ts"

describe("the text of markup", () => {
  // Verifies: H-242.
  it.each([
    ["has no tags", "<strong>Beaches</strong> of <em class='a'>Goa</em>", "Beaches of Goa"],
    ["has a space where a tag breaks the line", "one<br>two<br/>three<p>four</p>", "one two three four"],
    ["has no comments and declarations", "a<!-- b -->c<!doctype html>", "ac"],
    ["keeps signs that begin no tag", "a < b, 1 <2, a <= b > c", "a < b, 1 <2, a <= b > c"],
    ["keeps a tag that never ends", "a <b", "a <b"],
    [
      "has named entities as characters",
      "R&amp;D &lt;3 &quot;&eacute;t&Eacute;&quot; &euro;5&nbsp;&hellip;x",
      'R&D <3 "étÉ" €5\u00a0…x'
    ],
    ["has numbers as characters", "&#39;&#x27;&#X1F600;&#2344;", "''😀न"],
    ["has Windows' quotes as browsers show them", "&#146;&#150;", "’–"],
    ["has no impossible characters", "&#0;&#xD800;&#9999999;", "\ufffd\ufffd\ufffd"],
    ["keeps what is no entity", "AT&T &nothing; & &; &#; &amp", "AT&T &nothing; & &; &#; &amp"],
    ["is read once", "&amp;lt;b&amp;gt; &lt;b&gt;", "&lt;b&gt; <b>"],
    ["has no white space around it", " \n a \t", "a"],
    ["may be nothing", "", ""]
  ])("%s", (_, markup, text) => expect(textOfMarkup(markup)).toBe(text))

  it("is read in time that grows with the text, whatever it is", () => {
    const size = 200_000
    const begun = performance.now()
    for (const part of ["<", "<a", "<a'", '<a"', "<!--", "&", "&#", "&#x", "&amp", "<p ", "</"]) {
      const markup = part.repeat(size)
      expect(textOfMarkup(markup)).toBe(markup.trim())
    }
    expect(performance.now() - begun).toBeLessThan(atMost(5000))
  })
})
