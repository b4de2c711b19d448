/** The contract that a room's groups stand in: handlers of a room are written against its own part of it. */
import * as HttpApi from "effect/http-api/HttpApi"

/** Every failing field of a request is reported at once. */
export const contract = HttpApi.make("trunkline").annotate(HttpApi.ParseOptions, { errors: "all" })
