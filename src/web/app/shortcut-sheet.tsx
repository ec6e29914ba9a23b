import { Dialog } from '#web/ui/overlay/dialog.tsx'

const SHORTCUTS: [keys: string, action: string][] = [
  ['Ctrl S', 'Enregistrer maintenant'],
  ['Ctrl Z', 'Annuler la dernière modification ou suppression'],
  ['Ctrl Maj Z', 'Rétablir la modification'],
  ['Ctrl P', 'Prévisualiser'],
  ['Ctrl Entrée', 'Publier, ou voir ce qui l’empêche'],
  ['Alt ↑ / Alt ↓', 'Déplacer l’élément d’un cran'],
  ['Ctrl D', 'Dupliquer l’élément'],
  ['Entrée', 'Réponse suivante, ou une nouvelle'],
  ['/', 'Sur une ligne vide : ajouter un élément'],
  ['Retour arrière', 'Supprimer une réponse ou un résultat vide'],
  ['Ctrl B / I / K', 'Gras, italique, lien dans un texte mis en forme'],
  ['Échap', 'Fermer la fenêtre ouverte'],
  ['N', 'Sur le tableau de bord : créer un questionnaire'],
  ['/', 'Sur le tableau de bord : rechercher'],
  ['↑ ↓ ← →', 'Sur le tableau de bord : d’un questionnaire à l’autre'],
  ['?', 'Afficher cette aide'],
]

/** Renders the list of keyboard shortcuts. A note below says that ⌘ replaces Ctrl on a Mac. */
export const ShortcutSheet = ({ open, onClose }: { open: boolean; onClose: () => void }) => (
  <Dialog title="Raccourcis clavier" open={open} onClose={onClose}>
    <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-2">
      {SHORTCUTS.map(([keys, action]) => (
        <div key={action} className="contents">
          <dt>
            <kbd className="rounded-md bg-press px-1.5 py-0.5 font-sans text-ink-2">{keys}</kbd>
          </dt>
          <dd>{action}</dd>
        </div>
      ))}
    </dl>
    <p className="mt-4 text-ink-2">
      Sur un Mac, ⌘ remplace Ctrl. Les raccourcis d’une seule touche se désactivent dans Mon compte.
    </p>
  </Dialog>
)
