/** The contract of the portal page: files that anybody may have, because all that is an account's comes later, by token. */
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as Schema from "effect/Schema"

const file = (contentType: string) => ({ success: Schema.String.pipe(HttpApiSchema.asText({ contentType })) })

/** Source: docs/webhooks-portal.md#routes. */
export const portalGroup = HttpApiGroup.make("portal")
  .add(
    HttpApiEndpoint.get("page", "/webhooks", file("text/html")),
    HttpApiEndpoint.get("script", "/webhooks.js", file("text/javascript")),
    HttpApiEndpoint.get("style", "/webhooks.css", file("text/css"))
  )
  .prefix("/portal")
