import { DeskPage } from './parts/list-page.tsx';

export default function Questionnaires() {
  return <DeskPage title="Questionnaires">{null}</DeskPage>;
}
