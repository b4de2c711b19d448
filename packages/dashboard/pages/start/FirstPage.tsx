/** The place without a name: the first steps for those who have not completed them, else the campaigns. */
import { useQuery } from "@tanstack/react-query"
import { Navigate } from "@tanstack/react-router"
import { setupKey } from "../frame/Entering.ts"
import { isOpen, pageOf, places } from "../frame/Places.ts"
import { api } from "../frame/ServerRequests.ts"
import { useMe } from "../frame/SignedInPerson.ts"

const keptMs = 60_000

export const FirstPage = () => {
  const me = useMe()
  const { data, error } = useQuery({
    queryKey: setupKey,
    queryFn: ({ signal }) => api.overview.setup({ signal }),
    staleTime: keptMs,
    retry: false
  })
  if (data === undefined && error === null) return null
  const start = data?.completed === false && isOpen("start", me)
  const first = start ? "start" : (places.find(({ name }) => name !== "start" && isOpen(name, me))?.name ?? "me")
  return <Navigate to={pageOf(first)} replace />
}
