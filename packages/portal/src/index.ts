/** The files of the webhooks portal as text. Their sources are webhooks.html, webhooks.css and webhooks.js. */
export { css, html, js } from "./PortalFiles.ts"
