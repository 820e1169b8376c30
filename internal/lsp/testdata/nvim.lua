-- One session of Neovim for each feature of the server: what it prints is compared.
-- What Neovim 0.7 shows itself goes through its own functions; what it does not know of is
-- asked of the server through its client.
local patience = 30000

local function say(feature, what) io.stdout:write(feature .. ": " .. (type(what) == "string" and what or vim.inspect(what)):gsub("%s+", " ") .. "\n") end

local function session(feature, script)
  local ok, what = pcall(script)
  say(feature, ok and what or "fails: " .. tostring(what))
end

local function wait(ok) assert(vim.wait(patience, ok, 20), "nothing came") end

local function ask(method, params)
  local answers, err = vim.lsp.buf_request_sync(0, method, params, patience)
  assert(answers, err)
  for _, answer in pairs(answers) do
    assert(not answer.error, answer.error and answer.error.message)
    return answer.result
  end
end

local document = vim.lsp.util.make_text_document_params()
local function at(line, character, more) return vim.tbl_extend("error", { textDocument = document, position = { line = line, character = character } }, more or {}) end
local function here() return vim.tbl_extend("error", { textDocument = document }, { range = { start = { line = 0, character = 0 }, ["end"] = { line = 60, character = 0 } } }) end
local function line(i) return vim.api.nvim_buf_get_lines(0, i, i + 1, false)[1] end
local function write(i, text) vim.api.nvim_buf_set_lines(0, i, i + 1, false, { text }) end
local function map(list, f) return table.concat(vim.tbl_map(f, list), ", ") end
local function messages() return map(vim.diagnostic.get(0), function(d) return d.message end) end

-- What opens a window or a list in Neovim comes back through its handler.
local function handled(method, act)
  local got
  local before = vim.lsp.handlers[method]
  vim.lsp.handlers[method] = function(_, result) got = result or false end
  act()
  local ok = pcall(wait, function() return got ~= nil end)
  vim.lsp.handlers[method] = before
  assert(ok, "no answer")
  return got
end

local status
vim.lsp.handlers["$/rossi/proofStatus"] = function(_, result) if result.uri == document.uri then status = result end end

session("diagnostics", function()
  wait(function() return #vim.diagnostic.get(0) > 0 end)
  return messages()
end)
session("servers", function()
  -- Another file of the project, and this one once more: the server is the same.
  local this = vim.api.nvim_get_current_buf()
  vim.cmd("edit other.eventb")
  vim.cmd("buffer " .. this)
  vim.cmd("edit!")
  local clients = vim.lsp.get_clients or vim.lsp.get_active_clients
  wait(function() return #vim.diagnostic.get(0) > 0 end)
  return #clients() .. ", " .. #vim.diagnostic.get(0) .. ", " .. vim.bo.commentstring
end)
session("states", function() return map(vim.diagnostic.get(0)[1].user_data.lsp.relatedInformation, function(r) return r.message end) end)
session("inlay hints", function() return map(ask("textDocument/inlayHint", here()), function(h) return (h.position.line + 1) .. " " .. h.label end) end)
session("lenses", function()
  vim.lsp.codelens.refresh()
  wait(function() return #vim.lsp.codelens.get(0) > 0 end)
  return map(vim.lsp.codelens.get(0), function(l) return l.command.title end)
end)
session("status", function()
  -- The first ones come while proofs run: verdicts are missing.
  wait(function()
    if status == nil then return false end
    for _, o in ipairs(status.obligations) do
      if o.verdict == nil or o.verdict == "" then return false end
    end
    return true
  end)
  return map(status.obligations, function(o) return o.name .. " " .. tostring(o.verdict) end)
end)
vim.api.nvim_win_set_cursor(0, { 25, 23 })
session("hover", function() return handled("textDocument/hover", vim.lsp.buf.hover).contents.value end)
session("definition", function() return handled("textDocument/definition", vim.lsp.buf.definition).range.start.line + 1 end)
session("references", function() return map(handled("textDocument/references", vim.lsp.buf.references), function(r) return tostring(r.range.start.line + 1) end) end)
session("highlights", function() return map(handled("textDocument/documentHighlight", vim.lsp.buf.document_highlight), function(r) return tostring(r.range.start.line + 1) end) end)
session("symbols", function() return map(handled("textDocument/documentSymbol", vim.lsp.buf.document_symbol), function(s) return s.name end) end)
session("workspace symbols", function() return map(handled("workspace/symbol", function() vim.lsp.buf.workspace_symbol("up") end), function(s) return s.name .. " of " .. s.containerName end) end)
session("refining events", function()
  vim.api.nvim_win_set_cursor(0, { 18, 11 })
  return map(handled("callHierarchy/incomingCalls", vim.lsp.buf.incoming_calls), function(c) return c.from.name .. " of " .. c.from.detail end)
end)
session("refined events", function()
  vim.api.nvim_win_set_cursor(0, { 42, 11 })
  return map(handled("callHierarchy/outgoingCalls", vim.lsp.buf.outgoing_calls), function(c) return c.to.name .. " of " .. c.to.detail end)
end)
session("obligations", function() return #ask("rossi/proofObligations", { textDocument = document }).obligations end)
session("sequent", function() return ask("rossi/proofState", { textDocument = document, name = "down/type/INV", component = "counter" }).goal end)
session("why", function() return ask("workspace/executeCommand", { command = "gradine.why", arguments = { document.uri, "counter/down/type/INV" } }).text end)
session("animate", function()
  vim.cmd("GradineAnimate counter")
  wait(function() return select(2, vim.fn.execute("messages"):gsub("page%-of", "")) == 2 end) -- the server's and the command's
  io.stdout:write("\n")
  return vim.fn.execute("messages"):match("http://%S+")
end)
session("prove", function() return ask("workspace/executeCommand", { command = "gradine.prove", arguments = { document.uri, "counter/down" } }).text end)
session("refinements", function() return map(ask("gradine/refinements", { textDocument = document }), function(c) return c.name .. " " .. c.status end) end)
session("folding", function() return map(ask("textDocument/foldingRange", { textDocument = document }), function(r) return (r.startLine + 1) .. "-" .. (r.endLine + 1) end) end)
session("selection", function()
  local widths, range = {}, ask("textDocument/selectionRange", { textDocument = document, positions = { { line = 24, character = 22 } } })[1]
  while range do
    table.insert(widths, (range.range.start.line + 1) .. "-" .. (range.range["end"].line + 1))
    range = range.parent
  end
  return table.concat(widths, ", ")
end)
session("tokens", function() return #ask("textDocument/semanticTokens/full", { textDocument = document }).data % 5 end)
session("completion", function()
  write(24, "            @positive \\leq")
  local items = vim.lsp.util.extract_completion_items(ask("textDocument/completion", at(24, 26)))
  return map(vim.tbl_filter(function(i) return i.filterText == "\\leq" end, items), function(i) return i.label end)
end)
session("completion of names", function()
  write(24, "            @positive ")
  local items = vim.lsp.util.extract_completion_items(ask("textDocument/completion", at(24, 22)))
  return map(vim.tbl_filter(function(i) return i.label == "n" end, items), function(i) return i.detail end)
end)
session("signature", function()
  write(24, "            @positive card(")
  vim.api.nvim_win_set_cursor(0, { 25, 27 })
  vim.cmd("startinsert!")
  return ask("textDocument/signatureHelp", at(24, 27)).signatures[1].label
end)
session("typing", function()
  write(24, "            @positive n > 0 & n >= 0 ")
  vim.lsp.util.apply_text_edits(ask("textDocument/onTypeFormatting", at(24, 30, { ch = " ", options = { tabSize = 4, insertSpaces = true } })) or {}, 0, "utf-16")
  return line(24)
end)
session("lines", function()
  write(24, "            @positive   n>0")
  vim.lsp.util.apply_text_edits(ask("textDocument/rangeFormatting", { textDocument = document, range = { start = { line = 24, character = 0 }, ["end"] = { line = 24, character = 10 } }, options = { tabSize = 4, insertSpaces = true } }), 0, "utf-16")
  return line(24)
end)
session("corrected", function()
  wait(function() return #vim.diagnostic.get(0) == 0 end)
  return #vim.diagnostic.get(0)
end)
session("formatting", function()
  write(24, "            @positive   n  >  0")
  vim.lsp.buf.formatting_sync({}, patience)
  return line(24)
end)
session("action", function()
  write(24, "            @positive n > m")
  wait(function() return #vim.diagnostic.get(0) > 0 end)
  local titles
  vim.ui.select = function(items, _, choose)
    titles = map(items, function(i) return i[2].title end)
    choose(items[2])
  end
  vim.api.nvim_win_set_cursor(0, { 25, 27 })
  vim.lsp.buf.code_action()
  wait(function() return titles ~= nil and line(8) ~= "variables n" end)
  return titles .. " | " .. line(8)
end)
session("resolved action", function()
  write(8, "variables n")
  write(24, "            @positive n ≥ 0")
  wait(function() return messages():find("is refuted") end)
  local titles
  vim.ui.select = function(items, _, choose) titles = map(items, function(i) return i[2].title end) end
  vim.api.nvim_win_set_cursor(0, { 23, 11 })
  vim.lsp.buf.code_action()
  wait(function() return titles ~= nil end)
  return titles
end)
session("rename", function()
  write(24, "            @positive n > 0")
  vim.api.nvim_win_set_cursor(0, { 25, 23 })
  vim.lsp.buf.rename("level")
  wait(function() return line(8) ~= "variables n" end)
  return line(8) .. " | " .. line(24) .. " | " .. line(36)
end)
vim.cmd("qa!")
