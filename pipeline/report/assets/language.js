"use strict";
// The language of the page, before anything is drawn: the one chosen in this tab, else the one that
// the page was made in, else that of the browser.
{
  const root = document.documentElement;
  const chosen = () => {
    try { return sessionStorage.getItem("klue-language"); } catch { return null; }
  };
  const own = (navigator.language || "").startsWith("ko") ? "ko" : "en";
  const title = document.querySelector("title");
  const titles = { en: title.textContent, ko: title.dataset.ko };
  const speak = (language) => {
    root.lang = language;
    document.title = titles[language];
  };
  speak(chosen() || root.dataset.language || own);
  document.addEventListener("click", (event) => {
    if (!event.target.closest("#page-language")) return;
    speak(root.lang === "ko" ? "en" : "ko");
    try { sessionStorage.setItem("klue-language", root.lang); } catch { /* the page alone remembers */ }
    document.dispatchEvent(new Event("language"));
  });
}
