-- Event-B in Neovim: dofile("…/editors/nvim/gradine.lua") in init.lua.
vim.api.nvim_create_autocmd({ "BufRead", "BufNewFile" }, { pattern = { "*.eventb", "*.hints" }, command = "setfiletype eventb" })
vim.api.nvim_create_autocmd("FileType", {
  pattern = "eventb",
  callback = function(args)
    local root = vim.fs and vim.fs.dirname(vim.fs.find("gradine.toml", { upward = true })[1]) or vim.fn.getcwd()
    local id = vim.lsp.start_client({ name = "gradine", cmd = { "gradine", "lsp" }, root_dir = root })
    vim.lsp.buf_attach_client(args.buf, id)
  end,
})
