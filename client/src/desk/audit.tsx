import { DeskPage } from './parts/list-page.tsx';

export default function Audit() {
  return <DeskPage title="Audit">{null}</DeskPage>;
}
