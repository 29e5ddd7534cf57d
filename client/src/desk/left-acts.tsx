/** What was begun on a page that was left since: how far it is, and what of it was refused. */
import { ActArea } from './act-area.tsx';
import { Toast } from './toast.tsx';
import { useLeftAct, useLeftActs } from './use-acts.ts';

export function LeftActs() {
  return useLeftActs().map((doing, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: they have no name, and each is drawn from what it is given
    <LeftAct key={at} doing={doing} />
  ));
}

function LeftAct({ doing }: { doing: Parameters<typeof useLeftAct>[0] }) {
  const acts = useLeftAct(doing);
  return (
    <>
      <ActArea left={acts} />
      <Toast {...acts.toast} />
    </>
  );
}
