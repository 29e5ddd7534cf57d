import { DeskPage } from './parts/list-page.tsx';

export default function Tree() {
  return <DeskPage title="Tree">{null}</DeskPage>;
}
