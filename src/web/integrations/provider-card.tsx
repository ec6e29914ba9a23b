import { TriangleAlert } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { Badge } from '#web/ui/badge.tsx'
import type { AccountStatus } from './integration-queries.ts'

/** One email tool: its name, its connection and the actions on it. */
export const ProviderCard = ({
  title,
  level,
  status,
  children,
}: {
  title: string
  level: 2 | 3
  status: AccountStatus | undefined
  children: ReactNode
}) => {
  const id = useId()
  const Heading = level === 2 ? 'h2' : 'h3'
  return (
    <section
      aria-labelledby={id}
      className="flex flex-col gap-3 rounded-xl bg-card p-4 shadow-card"
    >
      <div className="flex flex-wrap items-center justify-between gap-2">
        <Heading id={id} className="text-base font-semibold">
          {title}
        </Heading>
        {status?.isConnected && (
          <Badge tone={status.needs_attention ? 'warn' : 'ok'}>
            {status.needs_attention ? 'À reconnecter' : 'Connecté'}
          </Badge>
        )}
      </div>
      {status?.needs_attention && (
        <p role="status" className="flex gap-2 rounded-lg bg-warn-wash p-3 text-sm text-ink">
          <TriangleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-warn" />
          {status.message}
        </p>
      )}
      {children}
    </section>
  )
}
