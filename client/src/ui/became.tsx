/** What was, an arrow in the direction of reading, and what is: each keeps the direction of its own letters. */
export function Became({ before, after }: { before: string; after: string }) {
  return (
    <>
      <bdi>
        <del>{before}</del>
      </bdi>{' '}
      <span className="arrow">→</span>{' '}
      <bdi>
        <ins>{after}</ins>
      </bdi>
    </>
  );
}
