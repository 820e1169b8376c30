;;; gradine.el --- Event-B in Emacs, with eglot -*- lexical-binding: t -*-
(require 'eglot)
(define-derived-mode eventb-mode prog-mode "Event-B"
  "Event-B as plain text."
  (setq-local comment-start "// " comment-end ""))
(add-to-list 'auto-mode-alist '("\\.\\(eventb\\|hints\\|scenario\\)\\'" . eventb-mode))
(add-to-list 'eglot-server-programs '(eventb-mode . ("gradine" "lsp")))
(add-hook 'eventb-mode-hook #'eglot-ensure)
(defun gradine-animate (name)
  "Open the page that animates the machine NAME, or the counterexample of an obligation. It follows the buffers."
  (interactive (list (read-string "Animate: " (thing-at-point 'symbol t))))
  (let ((answer (jsonrpc-request (eglot--current-server-or-lose) :workspace/executeCommand
                                 (list :command "gradine.animate"
                                       :arguments (vector (plist-get (eglot--TextDocumentIdentifier) :uri) name)))))
    (browse-url (plist-get answer :text))))
(provide 'gradine)
