/** The contract of the portal page: files that anybody may have, because all that is an account's comes later, by token. */
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"

const file = (contentType: string) => ({ success: Schema.String.pipe(HttpApiSchema.asText({ contentType })) })

/** Source: docs/reference/webhooks-portal.md#routes. */
export const portalGroup = HttpApiGroup.make("portal")
  .add(
    HttpApiEndpoint.get("page", "/webhooks", file("text/html")).annotateMerge(
      OpenApi.annotations({
        summary: "Page of the webhooks portal",
        description: "Returns the page; its fragment has the token."
      })
    ),
    HttpApiEndpoint.get("script", "/webhooks.js", file("text/javascript")).annotateMerge(
      OpenApi.annotations({ summary: "Script of the webhooks portal", description: "Returns the script of the page." })
    ),
    HttpApiEndpoint.get("style", "/webhooks.css", file("text/css")).annotateMerge(
      OpenApi.annotations({
        summary: "Style sheet of the webhooks portal",
        description: "Returns the style sheet of the page."
      })
    )
  )
  .prefix("/portal")
  .annotate(OpenApi.Description, "Page on which an account's own people manage its webhooks")
