// What scrolls sideways can be reached by the Tab key, and then scrolled by the arrow keys.
document.addEventListener("DOMContentLoaded", () => {
  const watcher = new ResizeObserver((changes) => {
    for (const { target: box } of changes) {
      if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
      else box.removeAttribute("tabindex");
    }
  });
  document.querySelectorAll("pre, .table-wrapper, div.math, .cell_output .output").forEach((box) => watcher.observe(box));
});
