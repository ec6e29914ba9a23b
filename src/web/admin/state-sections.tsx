import type { InstallationOverview } from '#contract/admin.ts'
import { CHANNEL_LABELS } from '#domain/deliveries/integrations.ts'
import { Section } from '#web/account/section.tsx'
import { Badge } from '#web/ui/feedback/badge.tsx'
import { formatMoment, formatNamedMoment, withZone } from '#web/ui/moments.ts'
import { TableHead } from '#web/ui/table-head.tsx'
import {
  backupWarning,
  formatBytes,
  formatDuration,
  isDiskLow,
  isLate,
  schemaWarning,
} from './admin-labels.ts'
import { Fact, Facts, Warning } from './facts.tsx'

/** Renders the health and the versions of the installation, with its warnings first. */
export const HealthSection = ({
  overview: { health, versions, last_backup_at },
}: {
  overview: InstallationOverview
}) => {
  const { is_ready, worker, uptime_s, nb_processes, disk } = health
  const warnings = [schemaWarning(versions.schema_state), backupWarning(last_backup_at)]
  return (
    <Section title="État">
      {warnings.map((text) => text && <Warning key={text}>{text}</Warning>)}
      {disk && isDiskLow(disk) && (
        <Warning>Il reste moins d’un dixième du disque de DATA_DIR.</Warning>
      )}
      <Facts>
        <Fact name="Service">
          <Badge tone={is_ready ? 'ok' : 'warn'}>{is_ready ? 'Prêt' : 'Pas prêt'}</Badge>
        </Fact>
        <Fact name="En marche depuis">{formatDuration(uptime_s)}</Fact>
        <Fact name="Processus connectés à la base">{nb_processes ?? 'Inconnu'}</Fact>
        <Fact name="Envois">
          {worker === 'inline' ? 'Par ce processus' : 'Par un processus à part'}
        </Fact>
        <Fact name="Place libre sur le disque de DATA_DIR">
          {disk
            ? `${formatBytes(disk.free_bytes)} sur ${formatBytes(disk.size_bytes)}`
            : 'Inconnue'}
        </Fact>
        <Fact name="Dernière sauvegarde">
          {last_backup_at ? (
            <time dateTime={last_backup_at}>{formatNamedMoment(last_backup_at, 'long')}</time>
          ) : (
            'Aucune connue'
          )}
        </Fact>
        <Fact name="Quizaine">{versions.quizaine}</Fact>
        <Fact name="Node.js">{versions.node}</Fact>
        <Fact name="PostgreSQL">{versions.postgresql}</Fact>
        <Fact name="Schéma de la base">{versions.schema}</Fact>
      </Facts>
    </Section>
  )
}

const CELL = 'border-t border-line px-3 py-2 align-top'
const NUMBER = `${CELL} text-right tabular-nums`
const TAB_STOP = 0

/** Renders the waiting deliveries by tool, and the waiting mails. */
export const QueueSection = ({
  overview: { queues, mails },
}: {
  overview: InstallationOverview
}) => {
  const isAnyLate = [...queues, mails].some(({ oldest_due_at }) => isLate(oldest_due_at))
  return (
    <Section title="Envois et messages en attente">
      {isAnyLate && (
        <Warning>
          Des envois attendent depuis plus de dix minutes : vérifiez que le processus qui envoie
          tourne.
        </Warning>
      )}
      {queues.length === 0 ? (
        <p className="text-ink-2">Aucun quiz n’envoie encore ses participants à un outil.</p>
      ) : (
        <section
          aria-label="Tableau des envois en attente"
          tabIndex={TAB_STOP}
          className="overflow-x-auto"
        >
          <table className="w-full min-w-md border-separate border-spacing-0 text-sm">
            <caption className="sr-only">Envois par outil</caption>
            <TableHead
              columns={[
                { title: 'Outil' },
                { title: 'En attente', isRightAligned: true },
                { title: 'Reportés', isRightAligned: true },
                { title: 'Refusés', isRightAligned: true },
                { title: withZone('Le plus ancien est prévu le') },
              ]}
              className="px-3 py-2"
            />
            <tbody>
              {queues.map(({ provider, nb_waiting, nb_delayed, nb_failed, oldest_due_at }) => (
                <tr key={provider}>
                  <th scope="row" className={`${CELL} text-left font-medium`}>
                    {CHANNEL_LABELS[provider]}
                  </th>
                  <td className={NUMBER}>{nb_waiting.toLocaleString('fr-FR')}</td>
                  <td className={NUMBER}>{nb_delayed.toLocaleString('fr-FR')}</td>
                  <td className={NUMBER}>{nb_failed.toLocaleString('fr-FR')}</td>
                  <td className={CELL}>
                    {oldest_due_at ? (
                      <time dateTime={oldest_due_at}>{formatMoment(oldest_due_at)}</time>
                    ) : (
                      '–'
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
      <Facts>
        <Fact name="Messages des comptes en attente">
          {mails.nb_waiting.toLocaleString('fr-FR')}
        </Fact>
        <Fact name="Les messages partent">
          {mails.has_mail_server
            ? 'Par le serveur de messagerie'
            : 'Dans DATA_DIR/mail (sans SMTP_URL)'}
        </Fact>
      </Facts>
    </Section>
  )
}

/** Renders the last errors in the log of this process. */
export const ErrorsSection = ({ overview: { errors } }: { overview: InstallationOverview }) => (
  <Section title="Dernières erreurs">
    <p className="text-ink-2">
      Les cinquante dernières du processus qui a répondu, depuis son démarrage. Le journal du
      serveur les garde toutes.
    </p>
    {errors.length === 0 && <p>Aucune erreur depuis le démarrage.</p>}
    <ul className="flex flex-col divide-y divide-line empty:hidden">
      {errors.map(({ at, where, type, code, text, screen, report_id }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two errors may be equal in every field
        <li key={`${at} ${index}`} className="flex min-w-0 flex-col gap-1 py-2 text-sm">
          <p className="wrap-anywhere">
            <span className="font-medium">{[type, code].filter(Boolean).join(' ')}</span>
            {text && ` : ${text}`}
          </p>
          <p className="text-ink-2 wrap-anywhere">
            <time dateTime={at}>{formatNamedMoment(at)}</time>
            {where === 'browser' && ` · écran ${screen}`}
            {report_id && ` · rapport ${report_id}`}
          </p>
        </li>
      ))}
    </ul>
  </Section>
)
