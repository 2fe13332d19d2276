module powershell

go 1.19
