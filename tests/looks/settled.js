/* Waits until the layout has settled: two frames in a row have everything in the same place, with all the letters there. */
() => new Promise((done) => {
  let last = "", tries = 0;
  const places = () => [...document.querySelectorAll("button, .card, p, dialog")].slice(0, 400).map((e) => { const r = e.getBoundingClientRect(); return `${r.left | 0},${r.top | 0},${r.width | 0}`; }).join();
  const look = () => {
    const now = places();
    if ((now === last && document.fonts.status === "loaded") || ++tries > 40) done();
    else { last = now; requestAnimationFrame(look); }
  };
  requestAnimationFrame(look);
})
