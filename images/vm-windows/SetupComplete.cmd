@echo off
rem Run once by the installer as the system, when all is installed and before anybody logs on. Not with a product key of a
rem machine's maker: for those the installer leaves it out.
powershell -NoProfile -ExecutionPolicy Bypass -File C:\ale\setup\finish.ps1 > C:\ale\setup.log 2>&1
