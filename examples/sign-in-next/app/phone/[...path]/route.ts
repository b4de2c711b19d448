/** Every route of the API below `/phone` of a Next application, for the users whom it has signed in. */
import { signedIn } from "../../../auth.ts"
import { core } from "../../../product.ts"

const mount = "/phone"

const handle = async (request: Request): Promise<Response> => {
  const { pathname, search } = new URL(request.url)
  const product = await core()
  return product.fetch(request, {
    path: pathname.slice(mount.length) + search,
    // Behind a proxy of yours that sets it; without one anybody can write anything there.
    clientAddress: request.headers.get("x-forwarded-for")?.split(",").at(-1)?.trim(),
    principal: () => signedIn(request)
  })
}

export { handle as DELETE, handle as GET, handle as PATCH, handle as POST, handle as PUT }
