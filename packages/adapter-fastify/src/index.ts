/** Trunkline in a Fastify 5 application. */
export { type FastifyOptions, trunkline } from "./Plugin.ts"
