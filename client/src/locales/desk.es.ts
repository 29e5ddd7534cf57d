/** Spanish of the dashboard, with the keys of English. */
import type { deskEn } from './desk.en.ts';

export const deskEs: typeof deskEn = {
  common: {
    filters: 'Filtros', clear: 'Quitar filtros', all: 'Todos', allSites: 'Todos los sitios', site: 'Sitio',
    tryAgain: 'Intentar de nuevo', old: 'Puede no estar al día', loading: 'cargando', pickAll: 'Elegir todos',
    pick: 'Elegir a {{name}}', actions: 'Acciones', pages: 'Páginas', total_one: '{{shown}} en total.',
    total_other: '{{shown}} en total.', page: 'Página {{page}}.', previous: 'Anterior', next: 'Siguiente',
    first: 'Primera página', close: 'Cerrar', cancel: 'Cancelar', undo: 'Deshacer', save: 'Guardar', saved: 'Guardado.',
    add: 'Añadir', change: 'Cambiar', delete: 'Eliminar', none: '–', note: 'Nota', created: 'Creado', status: 'Estado',
    who: 'Por', noSite: 'Sin sitio', days_one: '{{shown}} día', days_other: '{{shown}} días', back: 'Atrás',
    reason: '¿Por qué?', chosen_one: '{{shown}} elegido', chosen_other: '{{shown}} elegidos', unchoose: 'No elegir ninguno',
    address: 'Dirección', name: 'Nombre', type: 'Tipo', count: '¿Cuántos?', print: 'Imprimir', void: 'Retirar',
    search: 'Buscar', unsaved: 'Sin guardar.',
  },
};
