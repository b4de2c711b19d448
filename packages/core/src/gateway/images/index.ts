/**
 * Images from prompts, in the form of the public API.
 *
 * Promises  IMGE-1 an answer has images in the form that was asked for, and never more than were asked for.
 *           IMGE-2 each image that came is paid for, by its size where the price says so, and is a call of the plan.
 *           IMGE-3 a prompt that a model refuses for what it says is the caller's to change, and costs nothing.
 * Needs     InferenceRoutes, OutboundSettings.    Emits  nothing by itself.
 * Not here  admission, reservation, fallbacks and the usage log (gateway/run); how an image is fetched (packages/providers).
 * Read      ImageRequest.ts and ImageAnswer.ts, then Images.ts. Source: docs/reference/images.md.
 */
export { imageRoute } from "./Images.ts"
