/** The files of the webhooks portal as text. Their sources are webhooks.html, webhooks.css, webhooks.js and Words.ts. */
export { css, html, js } from "./PortalFiles.ts"
