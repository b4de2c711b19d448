/** How undici's connections of the providers come about: their answers are read past interim ones. */
import { pastInterim } from "@trunkline/core/provider"
import { buildConnector } from "undici"

export const connector = (options: buildConnector.BuildOptions): buildConnector.connector => {
  const connect = buildConnector({ ...options, allowH2: false, rejectUnauthorized: true })
  return (to, callback) =>
    connect(to, (...[error, socket]) => (error === null ? callback(null, pastInterim(socket)) : callback(error, null)))
}
