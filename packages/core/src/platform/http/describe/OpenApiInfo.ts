/** What the OpenAPI document says of the service as a whole. Pure. */
import type { Brand } from "../../brand/index.ts"
import type { Json } from "./OpenApiRepairs.ts"

const title = "Calling, messaging and inference"

const about = `Outbound calling campaigns, a messaging channel with AI agents, speech models, and webhooks that report what happens.`

/** Holds for every service, whatever its vendor says of it. */
const conventions = `Running a campaign, placing a call and sending a message reach real people and spend credits.

The service ignores unknown fields of a request, and answers may get further fields. Every answer has the header \`X-Request-Id\`. Where both a literal segment and a parameter fit a path, the literal segment wins.`

/** The vendor's words, where it has chosen some. Source: docs/reference/configuration.md#brand. */
export const infoOf = ({ description, licence, logo, name, url }: Brand): Json => ({
  title: name === null ? title : `${name} API`,
  version: "1.0.0",
  description: `${description ?? about}\n\n${conventions}`,
  contact: { name: name ?? "The operator of this service", ...(url === null ? {} : { url }) },
  ...(licence === null
    ? {}
    : { license: { name: licence.name, ...(licence.url == null ? {} : { url: licence.url }) } }),
  ...(logo === null ? {} : { "x-logo": { url: logo, altText: name ?? title } })
})
