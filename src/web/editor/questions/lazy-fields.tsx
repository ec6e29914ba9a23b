import { type ComponentType, lazy } from 'react'

/** Fields that few questionnaires have, loaded when they are shown; it says so when they cannot be. */
export const lazyFields = <Props,>(load: () => Promise<{ default: ComponentType<Props> }>) =>
  lazy(() => load().catch(() => ({ default: NotLoaded as ComponentType<Props> })))

const NotLoaded = () => (
  <p role="alert" className="text-sm text-bad">
    Ces champs n’ont pas pu être chargés. Vérifiez votre connexion, puis rechargez la page.
  </p>
)
