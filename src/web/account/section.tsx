import { type ReactNode, useId } from 'react'

/** Renders one section of the settings: a heading, its actions and their outcome. */
export const Section = ({
  title,
  help,
  children,
}: {
  title: string
  /** Link to the help about the section. */
  help?: ReactNode
  children: ReactNode
}) => {
  const id = useId()
  return (
    <section
      aria-labelledby={id}
      className="flex flex-col gap-3 rounded-xl bg-card p-4 shadow-card"
    >
      <div className="flex items-center justify-between gap-2">
        <h2 id={id} className="scroll-mt-8 text-base font-semibold">
          {title}
        </h2>
        {help}
      </div>
      {children}
    </section>
  )
}

/** Renders the outcome of an action, announced when it changes. */
export const Outcome = ({
  done,
  failed,
}: {
  done?: string | undefined
  failed?: string | undefined
}) => (
  <>
    <p role="status" className="text-sm text-ok empty:hidden">
      {done}
    </p>
    <p role="alert" className="text-sm text-bad empty:hidden">
      {failed}
    </p>
  </>
)
