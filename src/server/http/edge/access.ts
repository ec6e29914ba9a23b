import type { FastifyInstance } from 'fastify'
import type { CallAccess } from '#contract/kit/endpoint.ts'

/** Callers that a route admits: those of calls of the product API, and those of all other routes. */
export type AllowedCaller =
  | CallAccess
  /** This machine, or the holder of the metrics token. */
  | 'operator'
  /** A signed-in user of the auth service, about themselves. */
  | 'account'
  /** A signed-in user who owns the second factor in the address. */
  | 'factor_owner'
  /** A signed-in user who owns the identity in the address. */
  | 'identity_owner'
  /** The holder of a service token. */
  | 'service'

/** Admitted callers by route, such as `GET /q/:id`. HEAD is covered by GET. */
export type AccessTable = Readonly<Record<string, AllowedCaller>>

const tables = new WeakMap<object, Record<string, AllowedCaller>>()

/** Returns the table of all routes of an app, as they declare it in their configuration. */
export const accessTableOf = ({ server }: Pick<FastifyInstance, 'server'>): AccessTable =>
  tables.get(server) ?? {}

/** Declares who may call the routes of a scope, such as those of a plugin, unless a route declares it itself. */
export const declareAccess = (scope: FastifyInstance, access: AllowedCaller): void => {
  scope.addHook('onRoute', (route) => {
    route.config = { access, ...route.config }
  })
}

/** Records who may call each route. Prevents the start if a route does not declare `config.access`. */
export const recordAccess = (app: FastifyInstance): void => {
  const table: Record<string, AllowedCaller> = {}
  tables.set(app.server, table)
  // Hooks of a scope run after this one, so that the configuration is complete only when the app is ready.
  const routes: { names: string[]; options: { config?: { access?: AllowedCaller } } }[] = []
  app.addHook('onRoute', (options) => {
    const names = [options.method].flat().map((method) => `${method} ${options.url}`)
    routes.push({ names, options })
  })
  app.addHook('onReady', async () => {
    for (const { names, options } of routes)
      for (const name of names) {
        const access = options.config?.access
        if (!access) throw new Error(`The route ${name} does not declare who may call it`)
        if (!name.startsWith('HEAD ')) table[name] = access
      }
  })
}
