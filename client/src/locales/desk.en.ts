/** English of the dashboard. The other languages have the same keys, or they do not compile. */
export const deskEn = {
  common: {
    filters: 'Filters', clear: 'Clear filters', all: 'All', allSites: 'All sites', site: 'Site', tryAgain: 'Try again',
    old: 'This may be out of date', loading: 'loading', pickAll: 'Choose all', pick: 'Choose {{name}}', actions: 'Actions',
    pages: 'Pages', total_one: '{{shown}} in all.', total_other: '{{shown}} in all.', page: 'Page {{page}}.',
    previous: 'Previous', next: 'Next', first: 'First page', close: 'Close', cancel: 'Cancel', undo: 'Undo', save: 'Save',
    saved: 'Saved.', add: 'Add', change: 'Change', delete: 'Delete', none: '–', note: 'Note', created: 'Made', status: 'Status',
    who: 'By', noSite: 'No site', days_one: '{{shown}} day', days_other: '{{shown}} days', back: 'Back', reason: 'Why?',
    chosen_one: '{{shown}} chosen', chosen_other: '{{shown}} chosen', unchoose: 'Choose none', address: 'Address', name: 'Name',
    type: 'Kind', count: 'How many?', print: 'Print', void: 'Withdraw', search: 'Search', unsaved: 'Not saved yet.',
  },
};
