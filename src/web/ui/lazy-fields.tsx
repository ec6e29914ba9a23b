import { type ComponentType, lazy } from 'react'

/** A part of a form that few quizzes need, loaded when it is shown; `failure` stands in its place where it cannot be. */
export const lazyFields = <Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
  failure: string,
) =>
  lazy(() =>
    load().catch((): { default: ComponentType<Props> } => ({
      default: () => (
        <p role="alert" className="text-sm text-bad">
          {failure} Vérifiez votre connexion, puis rechargez la page.
        </p>
      ),
    })),
  )
