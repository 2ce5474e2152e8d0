// What scrolls sideways can be reached by the keyboard.
(() => {
  const mark = () => {
    for (const box of document.querySelectorAll(".md-typeset__scrollwrap, .md-typeset pre > code")) {
      if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
    }
  };
  new MutationObserver(mark).observe(document.body, { childList: true, subtree: true });
  addEventListener("resize", mark);
  mark();
})();
