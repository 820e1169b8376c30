module github.com/gradine/gradine

go 1.26
