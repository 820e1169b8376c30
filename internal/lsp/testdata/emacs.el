;;; One session of Emacs with eglot for each feature of the server: what it prints is compared.
;;; -*- lexical-binding: t -*-
(require 'flymake)
(require 'xref)
(require 'imenu)
(defvar patience 30)
(defun say (feature what)
  (princ (format "%s: %s\n" feature (replace-regexp-in-string "[ \t\n]+" " " (format "%s" what))) #'external-debugging-output))
(defmacro session (feature &rest body)
  `(say ,feature (condition-case fault (progn ,@body) (error (format "fails: %S" fault)))))
(defun wait-for (ok)
  (with-timeout (patience (error "nothing came")) (while (not (funcall ok)) (accept-process-output nil 0.05))))
(defun shown () (flymake-start) (mapcar #'flymake-diagnostic-text (flymake-diagnostics)))
(defun ask (method params) (jsonrpc-request (eglot--current-server-or-lose) method params :timeout patience))
(defun joined (list) (mapconcat (lambda (x) (format "%s" x)) list ", "))
(defun to (text &optional back) (goto-char (point-min)) (search-forward text) (backward-char (or back 0)))
(defun line-of (text) (to text) (string-trim (thing-at-point 'line t)))
(defun write-guard (text) (to "@positive") (delete-region (line-beginning-position) (line-end-position)) (insert text) (eglot--signal-textDocument/didChange))

(eglot--connect '(eventb-mode) (cons 'transient default-directory) 'eglot-lsp-server '("gradine" "lsp") "eventb")
(eglot--maybe-activate-editing-mode)
(session "diagnostics" (wait-for #'shown) (joined (shown)))
(session "hover"
  (to "@positive n" 1)
  (plist-get (plist-get (ask :textDocument/hover (eglot--TextDocumentPositionParams)) :contents) :value))
(session "definition"
  (mapcar (lambda (x) (xref-location-line (xref-item-location x))) (xref-backend-definitions 'eglot (xref-backend-identifier-at-point 'eglot))))
(session "references"
  (joined (mapcar (lambda (x) (xref-location-line (xref-item-location x))) (xref-backend-references 'eglot (xref-backend-identifier-at-point 'eglot)))))
(session "workspace symbols" (joined (mapcar #'substring-no-properties (eglot--workspace-symbols "up"))))
(session "symbols" (joined (mapcar #'car (cdr (car (eglot-imenu))))))
(session "highlights" (length (ask :textDocument/documentHighlight (eglot--TextDocumentPositionParams))))
(session "lenses" (joined (mapcar (lambda (l) (plist-get (plist-get l :command) :title)) (ask :textDocument/codeLens (list :textDocument (eglot--TextDocumentIdentifier))))))
(session "refining events"
  (to "event up" 1)
  (let ((item (aref (ask :textDocument/prepareCallHierarchy (eglot--TextDocumentPositionParams)) 0)))
    (joined (mapcar (lambda (c) (plist-get (plist-get c :from) :detail)) (ask :callHierarchy/incomingCalls (list :item item))))))
(session "animate"
  (let* ((opened nil) (browse-url-browser-function (lambda (url &rest _) (setq opened url))))
    (gradine-animate "counter")
    opened))
(session "why" (plist-get (ask :workspace/executeCommand (list :command "gradine.why" :arguments (vector (plist-get (eglot--TextDocumentIdentifier) :uri) "counter/down/type/INV"))) :text))
(session "completion"
  (write-guard "            @positive \\leq")
  (end-of-line)
  (let* ((found (eglot-completion-at-point)) (table (nth 2 found)))
    (joined (mapcar #'substring-no-properties (all-completions "" table)))))
(session "completion of names"
  (write-guard "            @positive ")
  (end-of-line)
  (let* ((found (eglot-completion-at-point)) (table (nth 2 found)))
    (joined (mapcar #'substring-no-properties (all-completions "" table)))))
(session "signature"
  (write-guard "            @positive card(")
  (end-of-line)
  (plist-get (aref (plist-get (ask :textDocument/signatureHelp (eglot--TextDocumentPositionParams)) :signatures) 0) :label))
(session "typing"
  (write-guard "            @positive n >=")
  (end-of-line)
  (let ((last-input-event ?\s) (last-command-event ?\s)) (self-insert-command 1 ?\s))
  (line-of "@positive"))
(session "lines"
  (write-guard "            @positive   n>0")
  (to "@positive")
  (eglot-format (line-beginning-position) (line-end-position))
  (line-of "@positive"))
(session "formatting"
  (write-guard "            @positive   n  >  0")
  (eglot-format-buffer)
  (line-of "@positive"))
(session "corrected" (wait-for (lambda () (not (shown)))) (length (shown)))
(session "action"
  (write-guard "            @positive n > m")
  (wait-for #'shown)
  (to "> m" 1)
  (let ((actions (eglot-code-actions (point) (1+ (point)))))
    (joined (mapcar (lambda (a) (plist-get a :title)) actions))))
(session "rename"
  (write-guard "            @positive n > 0")
  (to "@positive n" 1)
  (eglot-rename "level")
  (concat (line-of "variables ") " | " (line-of "@positive") " | " (line-of "@limit")))
