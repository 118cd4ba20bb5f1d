/** The squares are for the eye and the mouse: a press goes to the row, which has the same for everybody. */
export function startMosaic(): void {
  document.querySelector(".mosaic")?.addEventListener("click", (event) => {
    const id = event.target instanceof HTMLElement ? event.target.dataset.row : undefined;
    if (id !== undefined) location.hash = `r-${id}`;
  });
}
