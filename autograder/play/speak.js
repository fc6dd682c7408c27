/* A slider of ipywidgets has no name for a screen reader, and tells it the number of a step.
   A style knows when it gets into the page: this one gives each slider its name, and each of its steps the words. */
(function speak(style) {
    const names = JSON.parse(style.dataset.names), handles = style.closest(".play").querySelectorAll("[role=slider]");
    if (handles.length < names.length) return setTimeout(speak, 50, style);
    names.forEach(([name, words], n) => {
        const say = (values, handle, steps) => handles[n].setAttribute("aria-valuetext", words[Math.round(steps[0])]);
        handles[n].setAttribute("aria-label", name);
        handles[n].closest(".noUi-target").noUiSlider.on("update", say);
    });
})(this)
