/** Next calls this once when the server starts: from then on the product dials. */
export const register = async (): Promise<void> => {
  if (process.env.NEXT_RUNTIME !== "nodejs") return
  const { core } = await import("./product.ts")
  await (await core()).start()
}
