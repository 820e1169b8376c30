-- Event-B in Neovim 0.7 or newer: dofile("…/editors/nvim/gradine.lua") in init.lua.
vim.api.nvim_create_autocmd({ "BufRead", "BufNewFile" }, { pattern = { "*.eventb", "*.hints", "*.scenario" }, command = "setfiletype eventb" })

local servers = {} -- of Neovim 0.7, by root

-- All buffers of a project have one server: one for each would prove the project again.
local function attach(buffer, config)
  if vim.lsp.start then return vim.lsp.start(config, { bufnr = buffer }) end
  local id = servers[config.root_dir]
  if not (id and vim.lsp.get_client_by_id(id)) then
    id = vim.lsp.start_client(config)
    servers[config.root_dir] = id
  end
  vim.lsp.buf_attach_client(buffer, id)
end

vim.api.nvim_create_autocmd("FileType", {
  pattern = "eventb",
  callback = function(args)
    vim.bo[args.buf].commentstring = "// %s"
    local here = vim.fn.fnamemodify(vim.api.nvim_buf_get_name(args.buf), ":p:h")
    local found = vim.fn.findfile("gradine.toml", here .. ";")
    attach(args.buf, {
      name = "gradine",
      cmd = { "gradine", "lsp" },
      root_dir = found ~= "" and vim.fn.fnamemodify(found, ":p:h") or here,
      on_attach = function(_, buffer)
        if type(vim.lsp.inlay_hint) == "table" then vim.lsp.inlay_hint.enable(true, { bufnr = buffer }) end -- 0.10
      end,
    })
  end,
})

-- :GradineAnimate MACHINE opens the page that animates a machine, or the counterexample of an obligation. It follows the buffers.
vim.api.nvim_create_user_command("GradineAnimate", function(args)
  local name = args.args ~= "" and args.args or vim.fn.expand("<cword>")
  local params = { command = "gradine.animate", arguments = { vim.uri_from_bufnr(0), name } }
  vim.lsp.buf_request(0, "workspace/executeCommand", params, function(err, result)
    if err then vim.notify(err.message, vim.log.levels.ERROR) elseif result then print(result.text) end
  end)
end, { nargs = "?" })
