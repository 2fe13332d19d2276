module ale-serve

go 1.19
