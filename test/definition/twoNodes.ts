// A definition in which two nodes have an id of their own.
export const definition = `{
  "name": "Totals",
  "nodes": [
    { "id": "start", "name": "Start", "type": "trigger" },
    { "type": "log", "id": "say" },
    { "name": "without id" },
    { "id": 7 },
    { "id": "say", "name": "twice" }
  ]
}`;
