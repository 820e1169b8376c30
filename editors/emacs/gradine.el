;;; gradine.el --- Event-B in Emacs, with eglot -*- lexical-binding: t -*-
(require 'eglot)
(define-derived-mode eventb-mode prog-mode "Event-B"
  "Event-B as plain text."
  (setq-local comment-start "// " comment-end ""))
(add-to-list 'auto-mode-alist '("\\.\\(eventb\\|hints\\|scenario\\)\\'" . eventb-mode))
(add-to-list 'eglot-server-programs '(eventb-mode . ("gradine" "lsp")))
(add-hook 'eventb-mode-hook #'eglot-ensure)
(provide 'gradine)
