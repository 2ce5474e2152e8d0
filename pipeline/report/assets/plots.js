"use strict";
// The charts of the page; a click on a mark asks for what it stands for.

function drawPlots(id) {
  const drawn = [];
  for (const [name, figure] of Object.entries(data(id))) {
    const place = document.getElementById(name);
    if (!place) continue;
    Plotly.newPlot(place, figure.data, figure.layout, { displayModeBar: false, responsive: true });
    if (figure.show) place.on("plotly_click", (event) => ask(figure.show[event.points[0].pointIndex]));
    drawn.push(place);
  }
  // paper has a width of its own
  addEventListener("beforeprint", () => drawn.forEach((place) => Plotly.relayout(place, { width: 900 })));
  addEventListener("afterprint", () => drawn.forEach((place) => Plotly.relayout(place, { width: null, autosize: true })));
}
