/** Texts as they stand in a page. Pure. */

/** A text that is neither a tag nor the end of an attribute in HTML. */
export const escapedHtml = (text: string): string => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)
