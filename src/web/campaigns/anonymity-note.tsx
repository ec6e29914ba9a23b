import { MIN_ANONYMOUS_REPLIES } from '#domain/campaigns/reply-pool.ts'

/** Explains the word « anonyme » of a campaign. */
export const AnonymityNote = () => (
  <ul className="list-disc pl-5 text-sm text-ink-2">
    <li>
      Vous voyez qui a répondu, jamais ce que chacun a répondu. Nous ne pouvons pas le retrouver non
      plus.
    </li>
    <li>{`Les réponses apparaissent par ${MIN_ANONYMOUS_REPLIES} au moins, mélangées, sans heure. Les dernières apparaissent à la fin de la campagne.`}</li>
    <li>{`S’il y en a moins de ${MIN_ANONYMOUS_REPLIES} à la fin, elles sont effacées.`}</li>
    <li>
      Elles ne sont envoyées à aucun outil, webhook ni email, et ne peuvent être ni reprises sur un
      autre appareil, ni retirées une à une.
    </li>
    <li>Un texte libre peut dire qui l’écrit : n’en demandez que si c’est utile.</li>
  </ul>
)
