/** The routes that the HTTP benchmark compares, and what a request to each looks like. */

export const routeNames = ["read", "list", "create", "models"] as const
export type RouteName = (typeof routeNames)[number]

export const campaignsPath = "/api/v1/voice-campaigns"
export const modelsPath = "/v1/models"
export const pageSize = 50

export interface RouteRequest {
  readonly method: "GET" | "POST"
  readonly path: string
  readonly body?: string
  /** The status of a request that succeeds. */
  readonly status: number
}

export const requestsOf = (campaignId: string): Readonly<Record<RouteName, RouteRequest>> => ({
  read: { method: "GET", path: `${campaignsPath}/${campaignId}`, status: 200 },
  list: { method: "GET", path: `${campaignsPath}?limit=${pageSize}`, status: 200 },
  create: { method: "POST", path: campaignsPath, status: 201, body: JSON.stringify({ name: "Spring offers" }) },
  models: { method: "GET", path: modelsPath, status: 200 }
})
