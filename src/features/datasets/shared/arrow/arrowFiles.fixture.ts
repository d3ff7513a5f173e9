// Files as pyarrow 26.0.1 and datasets 5.2.0 write them, compressed.
import { inflateRawSync } from 'node:zlib';

const FILES = {
  saved:
    'vZa9b9NAFMDP+WhDSVGQAkQoQpGFBEOFWoFQhIToRoYOHSrUAak1iZMYpXZqO1JRidSBgYGhYwckMjD0D2DowFCpS4cOGTswdGTsmAFq3jufk8tL' +
    '3CSgYunl3bv7vXcf7z7ieZ53MM1YiuE3w26wKRZnCSjBp8S69Un4jYn611EsQzMI1ifgF9sSUJ4XbSrobdUwy5b6LLetlnXNbdi6w40N3XG0ijBE' +
    'Cy/bVs0vlNx3dSypjmsbZkWdy6lrQdUrrdbQ1SZUFS3T1U13Ag/XsmprRa1WG+zbKE0Sx68ZFy83zKJrWCZ3MbWNSXw1u9LYgFk64/o0m3LlkuG4' +
    '/VNfG3+m4ZEG1+8/Lklds8HB1W3nb3qu21Zdt11D7L/NiWPwb+jKOEXLJmHKNUtznz4JicPYdTgr1UalAn2VtaLO4NiwDhysPPPPUfaX58FJi+I5' +
    'zIo6/OIgvDs4rwmQKV4bYUs+n0xLPJ7TtPDhyQO9CNyWz85mwM4JNgKyrPg82oarb2DkOrD7En9f4jsgGX4PMBbkFX2+Av8jxOez8MH7pJdPxk6B' +
    'T/32fdLSuBSZ72YQ+gR2UeIzEp8SehPvJWCqPhdPSRwTGnOD5VVgdsfgdoA5uITDLY3lfWDOxojXBiZx0csdnTeubXBvcmdg8z4/i+xDwaMcgtMH' +
    'kAIbzCP61C9648lJ40mK/RFcE1hXBbZ1ybhmZB8Y2R6wbTGurJRz3NcnIK0hYzoBPuYN3yeFkL3FgM97vXnIZ+MaSPfahPIccCVvdK5WgPnkjc7V' +
    'e2C+SVxa4nDMuHItaD8NiQXPLRNvFzsGJgUR8AxP8wykxJs7OC/U+ET65Ri3Pewn5o/Bz+Ft8YIneTQWjfG+W4oAIGMZ8V5j7uai/jmJsN63wMK/' +
    'pNApUh9mZ4WeF/qB0KtCB8NaJ/yO0LeE3iN8i/CHpP8wOyH0sdBTQrcJ3yb8KbHPCB9mB/xPKYf4nRP+nPAdaS/zeqV//imFrK/SP5+80h8/sIP8' +
    'FUh7mB2MZ5nYq4QPswN+Xemff5XwYXbgXyfz2yL8uHYQb4fE+0jWd1cZ3Nd3yDmR/UfZCrHjpJ5dkU37i1xxf/9qR4bUx8i6oj0LchPkLsg96V5p' +
    'OLqtOQ78I9NMFx+mrtHXwp5L8aaF4N64IXIe3Dsv7aPvR1/0xytVW9cfFYyCXqtZIetIRc4Bf1IXentQfstwPmXDLDHpzPM/pqqmNsm9QXMrCyP9' +
    '0HGM6hdjWG/e6kW3Z/t/g2meOi+CksffOMb+AA==',
  savedJson:
    'zVa9axRBFJ+9L5d4kVMOCWIRhnQe4YJBwjUiCAYRDEFikQuXyd3sZWVv97IfGDkDFhZpBEuLFFdaWKSysrBMaZHC/8F/IODH+t7uzO1k4uVDEByY' +
    'm31vfu/33sx7u+/iOI7NIiEVgmOCXCElUiQmPMEwCiN9GX4LQn9o4DNsk3R9+T2O94VuCOuA2q7l0cb0gFqchZHPg0To8SBgXSGIneS5Fb7o4xN9' +
    'GHgu3alNZ5pHdhAmmtDznJOWAjagHWkQhL7tdqnKscKciCckVuS2Qxt8oInLehex7TMfDELuB3/jue97fe6Htjj91oU5kvHHmwnanq/RWI7Hwjvz' +
    'Y3gwo5dhbkbdLnizWJuTPMhmjpAFkdPqrziGDOcx/zeFDgeUCkkcQp2YMEuJNkfup/hyVcFjfVSFTZI+WJ2fcdxPsZNTIE8LLLgmS0aKR9kOeQ+Z' +
    '9wA/VPAzCv4IJupMmDKzaPMFbA7H2OwJG6zjLKOwD3gzTm2qSlyGih/lkJB5wC8o+CkFXxHrFswm4NZTXLGi4IhYMTv4/Bpwu+fAfQDc/ik4LGp8' +
    'xvN/PQffD8BV4NYxl5eSt7wi3vk0lzPKueriruV7nHKVBO818KGyVEGT8BSRZyhsq0oMMseYl0WhO4CYZax458z3veezzwLMLNreW15+/LTBt0Pu' +
    'BpDuhjyvCV7x+2SK+5dnJeLsuh3knXVYyNJYCiM8uI8PclmcZXJdfBHLyblIvpDwfc5J9gmQy6Nv4ycj9Z9X/N8g40dFW3X9jFgXxHpV+F3KHcdL' +
    'Wdqta/vjZFPIm5rc1/DjZInfzmV5xfFKw4+Tpf2ukEtCfqvhzytLvnca31DIhpDf57LakGNSy5vKJ4e+b/xnsoxPvZ6CuAd5llswP8L8hm8tENRh' +
    'rsB8Y2T1NaC+50DfoFHAfVqjbc+FVycExQO/GdXrVht/OxZ0lBGUBQH0JAYoBe9GjlNLunerzRxs4avw/6ADcBRbc4BNO1TWnGtKn5Ztmlq224Ed' +
    '5nejHhADDx006VaTNpqUNekOdLa1LBT0dyzq21QJoqX6PyN++mTT53xWgZ24kUX7TJJF7jjeKRyr8s8ADeEbhbHiklKvnUW+Tf/NBQ/oBpDNre3g' +
    '1Wo1Zyi1p/dfrDdkk3isPW/jGW+HmZz+0dHr9+iu/n2Mkx5GyG8=',
  uncompressed:
    '7VetbxRBFH9zt/eRsm0OciErKjYEgUC0gKgg4ZqQgGjCpYYTCLZlaTc99sjttmzdSQSiAoEgoUFVICoQCARJERX8ARVIRCUCUUG7vDcz25t93WtD' +
    'QoLpJO9m385vfu9j3szszc7PP3g4DZBi2ywDNIDaGNhQhQrU8QmbsMDCbuMwTam/gPKxBPAS5RbKLwHwDeUtSgvFQekg5joK4X/+TlMkqRJ3U7+T' +
    'tCg9lO843jyUmHIR5inK+yMaL8FthbtIGEfjCNPQ/TOyi5jNlHAwThhX49BV6RfNraH4YdwP/AgeIf614i01DF5qFZQ1r7vqYz+QPoBoSXtNzA7x' +
    '2FJraDj3H1MKK/46fEH+A2XDKYpxDeUHjk9KG8IeFV8XxUbM3aNif6kPYp/SAFPp0N9Y4cc4njhjXOs6SlW/2VRYq8jPBZRXOP7VsM8xIcqH1MyV' +
    'I/kpV5Q3lStRoXktY30y/58EizE912WGLflrS91GqUmdCGieg3ba0pZoFq1d1+sv0dq1EJOkw9y6Rm4dyY2140eRt4QFge05YrcU/kQNtY2Ys1xT' +
    've0pfIX7QbW22AtjrDfYRYyqnSqrHTVvkuWi3+v66lntQdqnW9o+yLw09U61JRuULMhqR+Vw7DiH2d52EGnpkTn9vgTDVobRzda9rvfcPMH0ovfe' +
    'guopjoZlxnE5H0fZkrkYiIxlAvXGcTVM4O82kl4t8F9oydo1NgZ6vc14HObzKN1mnOO6n2H8LYZvG7UA+hwyW4fZec7ymzB8wuIYsPEBW6cN5t8b' +
    '5t8WW/tthv/E+HaZvV3Gt8fG99j8fTae6W4WlzZ8RetTIu/PjMjbuy/yfKP0LF9txtdh+A7DP2b4ZZGPJ2HzE4andslYT1Gwf07T/xZ/1vx/xScK' +
    '9vpp+ln2BcOa45ax31Yjv+9FURDFXhizeTVjn93r73zeeeef4D/eV+t527W8Ow3BzsVsf0zfuFkYH4zwn9uluyla7vVjGNa553Z72Vx6Dpfc2E9i' +
    'N172YjeI3LDnBmE3CH13LfBfnMyXKNBXTl2vgzs8L6m6t2Vdq7ulLm9tW6/AnD77srsz0ZeVo/uByNvfLufPE/NcPf+ePP+ePP+e/L/fk/tYULPy' +
    'P+Af',
  lz4:
    '7Vg7bBNBEN31X+CAQyx0oAgOQ1AKCn5CICFhJCRSgIhoSEERJxyJFWNHvksI3YmKgoKCggKJiIqCgoIiRQpLUFBQUFJQUFBQuqBIARwze7PO7sTG' +
    'SYREk5Umc8/zdnZudvZzuXzz5o1bp4SIoC0nhSgIbLtEXmREWuTgCZpMiRSoJ7+iCPVukLcJIR6BnAX5IYX4CPIcpAzigEwA5wQI8ts/owicZNB3' +
    'kX5TbkEaIF/AXvylOMlunLsgL3+jPSEuxrxB5DjEQ06B9D0cFzjLEfLEAHJc4kGoKi7smwXx6kGz6vniNvCfxn4TBcMvtjTIYqW24IEOVQxCltV4' +
    'RcgO+skrVCA6jx9SKua8B6IF/tfiMZxu77gI8g3sw2oMme/1fjWQPHCu/O4eL+pq4GEaxMloPd4g5u/ifPQZwFznQDL0y3LMTXWLcwrkMdjfG+Nz' +
    'Th3kdWTmylH+MVeYtzhXMo39ysb86PjvVKcDfM6pDKfU37zCeZCswugA+zkwzrgaSxa7zV2t0pzBuSsDZylaz61r5NZRvqF2PN+vzEBBQJsH7quY' +
    'v6GGxo131rnGevsc89M8Dqy16UY9gHoTH4AT106G1U7cb5jlotmoefFzvAZxna7Q+ELlxaGVmlfeRCKlxh4T683MY0H1GQad6vSZoHGL9H6iM348' +
    'ZlL0bkdJj5I+YNgk8ydoHpXv0nVnsvwQYNiVmrB5AMPKlGHHPLgpMw8H7TwkU2rOPlvB74HfivTmBUBCrILnkxR/gQUhSXg+Ro3fHKZ1PsrsvXth' +
    'zZ8lfYz0E+b3FeN/In2IdJv5b7N5caQ9P+elzdf4MOEJZte4RDiUdnzPpB1fi/BBwl8Zf43wEcIuKxSNtb8xZtd4hPA8s2t8TueP8AXC3xN2PLrI' +
    'O/XMir4X1vkaS9r+Jhl/kvFDxn9G+LjOH+vfYnxs+4x6lWzdiD54q/x+/f+VP1Z2fXG/8aW9j0hduT32oQR30YOH28CAyRuweQDDBd9rVny/6geV' +
    'erDNeLIknZa1eQDDq813q+9eeHZ9kH0QHodg0CGZE2Hi7/vr0gPrzLDsOWOfVq1g2/FKOJIF87hp3Pr7Jvlxk7R5AMNTp8/098/iw2vsfh3eJuZ3' +
    'Qx0wf3h0lCQ4DPm+ZfNwub/Ee4g/22gGwG9L3EErbq1h9yvZ/Up43gGpPuMG3lLgBrOVwK36br3hVuu1at1zF6ve/e3XOT/a+s53F/9zPfrJzaw/' +
    'ls+98DiIV8+1S5tbv1F8v6T7TFHdYPFMz9NJfY3OPn3HW6FL1Shp816A9jeEW3o/N2LY+e7Z+e7Z+e75v98936GgLqv/VfwB',
  zstd:
    '7Vg9TBRBFH6zu/cj7plFr1gJkpVoQkEiPxaYmAiJRguNhEYKi1t0hQ3nHbldEDrsKCwoLCxMJCYmFhYU2lmQQEFhQWlhQWFhSWFBIaxvfvZudm6P' +
    'g8TEhknevX3zvnnvzZs3M7s3NjHx8NEgQIRtTQewgLYOMCELGcjjEzZigIFs9SCKKD+L9FkDWEG6jvSbAHxDeos0imQjTSKmH4ni9/5EERrJUttF' +
    '0cfMIlWRfqC+eMAwehrmGdL7Q6rX4CbHdVKMLXAUYwn+nPpFzFpEcVCgGEfgMFQWFx2bQ/IqYc33AniM+NfcrmZJdmnLIC245XkP+TKLAcgo81fE' +
    '7FA7JpMsAVfjx5TCrLcEG2h/n/uw0+a4gPQT9d3MBzFbza+MZCLm9mF6vJT7oUfTAANRI96Q4ztUPLUZ4lrnkbKiZ41jjbQ4p5BeoX5L8q9iKkif' +
    'IjlXNrNPc0XzxnNFMnTcqLQ+cfxP/Schfc6zDBvs12SyiZRjMjVAx9noZ5z5IsW0tSu7tWm6dqOIWYwauXWk3NrMNtaOFwTuNBYEtjnEfuT4phoa' +
    'l+Yc55rW23eOz6hx0Fp7Uq2EWG+wjRheO1mldvi4biUXtWrZ4898D9J9uiH8A8uLLXaqyayBZjDfI9Boch4tNqYHuVEfU0K6ImLWQG5Zlu+syLcO' +
    'rdslwR3BL0g60mSXrydtfV+uHTim2wTUZL3WCeBOMZnOv8+Q59+VnL9usBjmEsGew76imLGFEsCWxnPUL3KiKfGSI/LQJ2nOC24reRhR5ttKjvGT' +
    'gvcIvqjYX1Xw64rfbcV+LF8VfE9Zl3xygnX5Ypx3RR/LXUK+R5LxlUgyvmUhx+v0RsGvK/52FH87ir09RR/Ll+M8KAUWy4NCHhfysJBXtGQ8a1rS' +
    '34Zir5Ucx7+r2NtX8PsK3taT+AE9OZ9JZbNNKvj4WZNqFlL2WSv5pPh24/+VPWWZ28rt/BP5HCFn6h2p54/WMJCqpwdwgT8WZH3BB5gPvJobBH4Q' +
    'unjMn8xvTlCDcX3uBsDd2ubXzXeeLffbH9ihTeqz1aC0S0ok7dxcXBJ3gNSfH2tKpiXrrQdYoDmwCOTiOj/RfHRBDcb1Olb/4NDwUfaScdxhHQSG' +
    '6tuv3bolx79sWRiOjHMIYS8LwUy1FgpFL5LrlKtKPfXK43o7CcNUpp3QWwydcMYNHT9wKlXHr5T9iucs+N6Lk+dPuoDarVuT3dkW48jx9kVT/sTx' +
    'deuY+yri733iPaPIbk5655piA92nY6R3r3XxsjMguHxvM72evM/ke/T0e+T0e+T0e+T/fo/8woIaY/8h/AU=',
  replaced:
    '7VA7DsIwDH1J049Qhg4V6shBGBm5BJSFnUMwcgyOwO3Cc2LUNlLZGCrhyvHv2X51CCE8ALQQ2cCjQomGHsU4OJoXMWINtYvYnogKNdEtM6nXlFI7' +
    'UHdUhyRiL9fhJn7DTzLy+hh7ah1jGZCqaSdXhqfuQ8R3yszHXlinXJIkxmn25196Ip1Wjpo3GKXAsjSZnfaZLJ7mT+oL//uM/3bOv3DkN87P+e6V' +
    'r53Mt1/42ozHEnatdz3/7/qTuw4ruKvYNw==',
  large:
    '7dx/vPL3/Pjx9zmnbW2yKzRrhEwjW2hbCKERQshcGIYLwzA2MzYMwzBcGIYLwzCEEEIIIYQQQgghhBBCyPa5Xz98uH1vt+/35vPH96/Ped9u9/M6' +
    'navezx7vOlfXdTq390knn3yv+x8fBFfazgqCIBrs3Q4LIsHBwUFB2Ge2jZDLgUthH0MHPvoysX23ifnawcEh+64VPbCPjYP2rokD1w0OrOc88rxz' +
    '9n8e2nd579zagf3s3SJB/MDkyL69BVuhffuIloL/3iK+Et13P/Zf55QDc/buo3vov673zxlbwf99O+5G+9fsgfV7iX/92cb/sb+9W+zA9UJH3yO+' +
    'q/gcFy/Ye3EnezPWVN3uclZUNoPgMpaU3Y9LWVByv/Ywp3hQEFzCjMLBQXAxU/KHBMFuJuQc84sYk3WXLmRExuNzAUPSVwmC8xmQclzOo0/yqg47' +
    'PRKHB8FZdInvCIIz6BDzWJ1Om+jVguA0WkSuHgS7aBK+RhCcSoOQY30K9b3H/Aj91FhTvaZ+VlSO1M+Sclw/C0pH6WdO8Vr6mVG4tn6m5D0Uu5mQ' +
    'u45+xmSvq58RmevpZ0g6qZ8Bqevrp0/yaP30SNxAP13iKf10iB2jnzbRG+qnRcTDvYsm4bR+GoRurJ86wbH6qbGmepx+VlQy+llSvol+FpRuqp85' +
    'xZvpZ0Yhq58ped+Wu5mQO0E/Y7In6mdEJqefIemb62dA6hb66ZO8pX56JPL66RK/lX46xG6tnzbR2+inRaSgnybh2+qnQeh2+qkT3F4/NdZUi/pZ' +
    'UTlJP0vKd9DPgtId9TOn6Fv7EmYU7qSfKfk762dC7i76GZMt62dE5q76GZK+m34GpO6unz7Jin56JO6hny7xe+qnQ+xe+mkTreqnReTe+mkSPlk/' +
    'DUL30U/9Pvu/+XdSY031vvpZUbmffpaU76+fBSV/Z+1hTvEB+plReKB+puQfpJ8JuVP1Myb7YP2MyDxEP0PSD9XPgNQu/fRJPkw/PRIP10+X+CP0' +
    '0yF2mn7aRB+pnxaRR+mnSfjR+mkQOl0/dYLH6KfGmupj9bOi8jj9LCmfoZ8FpcfrZ07xCfqZUThTP1PyXo92MyH3RP2MyZ6tnxGZJ+lnSNoLy/kM' +
    'SD1ZP32ST9FPj8S5+ukSP08/HWJP1U+b6NP00yLydP00CZ+vnwahZ+inTvBM/dRYU32WflZUvDpcxpLys/WzoPQc/cwpPlc/MwoX6mdK/nn6mZB7' +
    'vn7GZF+gnxGZi/QzJP1C/QxIvUg/fZIv1k+PxG79dIm/RD8dYi/VT5voy/TTInKxfpqEX66fBqFX6KdO8Er91FhTvUQ/Kyqv0s+S8qv1s6D0Gv3M' +
    'Ke7Rz4zCa/UzJf86/UzIvV4/Y7KX6mdE5g36GZJ+o34GpN6knz7Jy/TTI/Fm/XSJv0U/HWJv1U+b6OX6aRF5m36ahN+unwahd+in/o79L/w7qbGm' +
    '+k79rKi8Sz9Lyu/Wz4JSXT9ziu/Rz4zCe/UzJf8+/UzINfQzJvt+/YzIfEA/Q9If1M+AVFM/fZIf0k+PxIf10yX+Ef10iLX00yb6Uf20iHxMP03C' +
    'H9dPg1BbP3WCT+inxprqJ/WzovIp/Swpd/SzoPRp/cwpfkY/Mwqf1c+UfFc/E3Kf08+Y7Of1MyLzBf0MSff0MyD1Rf30SX5JPz0SX9ZPl3hfPx1i' +
    'X9FPm+hX9dMi8jX9NAkP9NMg9HX91Am+oZ8aa6rf1M+KylA/S8rf0s+C0rf1M6f4Hf3MKIz0MyX/Xf1MyH1PP2Oy39fPiMxYP0PSP9DPgNQP9dMn' +
    '+SP99EhM9NMl/mP9dIj9RD9toj/VT4vIVD9Nwj/TT4PQz/VTJ/iFfmqsqc70s6LyS/0sKf9KPwtKv9bPnOJcPzMKv9HPlPxv9TMh9zv9jMku9DMi' +
    '83v9DEn/QT8DUn/UT5/kUj89En/ST5f4n/XTIfYX/bSJrvTTIvJX/TQJ/00/DUJ/10/97/v/0b+TGmuq/9DPisoV+llSvlI/C0r+c7GHOcWNjeAS' +
    'ZhQ2N4KLmZLf2gh2MyEX2gguYkz2oI3gQkZkDt4ILmBI+pCN4HwGpMIbwXn0SR66EZxDj8RhG8FZdIlfZSM4gw6xyEZwOm2iV90ITqNF5PCNYBdN' +
    'wjs2glNpEIpuBKdQJ7jaRrCTGmuqV98ILmdF5RobwWUsKcc2gktZUDpCP3OK19TPjMKR+pmSj+tnQu4o/YzJXks/IzLX1s+QdEI/A1LX0U+f5HX1' +
    '0yNxPf10iSf10yF2ff20iR6tnxaRG+inSTilnwahY/RTJ7ihfmqsqd5IPysqaf0sKd9YPwtKx+pnTvE4/cwoZPQzJX8T/UzI3VQ/Y7I308+ITFY/' +
    'Q9LH62dA6gT99EmeqJ8eiZx+usRvrp8OsVvop030lvppEcnrp0n4VvppELq1fuoEt9FPjTXVgn5WVG6rnyXl2+lnQen2+plTLOpnRuEk/UzJ30E/' +
    'E3J31M+YbEk/IzJ30s+Q9J31MyB1F/30SZb10yNxV/10id9NPx1id9dPm2hFPy0i99BPk/A99dMgdC/91Nn7H/6d1FhTvbd+VlRO1s+S8n30s6C0' +
    'Uz9zivfVz4zC/fQzJX9//UzInaKfMdkH6GdE5oH6GZJ+kH4GpE7VT5/kg/XTI/EQ/XSJP1Q/HWK79NMm+jD9tIg8XD9Nwo/QT4PQafqpEzxSPzXW' +
    'VB+lnxWVR+tnSfl0/SwoPUY/c4qP1c+MwuP0MyV/hn4m5B6vnzHZJ+hnROZM/QxJn6WfAakn6qdP8mz99Eg8ST9d4ufop0PsyfppE32KflpEztVP' +
    'k/B5+mkQeqp+6gRP00+NNdWn62dF5Xz9LCk/Qz8LSs/Uz5zis/Qzo3CBfqbkn62fCbnn6GdM9rn6GZG5UD9D0s/Tz4DU8/XTJ/kC/fRIXKSfLvEX' +
    '6qdD7EX6aRN9sX5aRHbrp0n4JfppEHqpfuoEL9NPjTXVi/WzovJy/Swpv0I/C0qv1M+c4iX6mVF4lX6m5F+tnwm51+hnTHaPfkZkXqufIenX6WdA' +
    '6vX66ZO8VD89Em/QT5f4G/XTIfYm/bSJXqafFpE366dJ+C36aRB6q37qb93/w76d1FhTfZt+VlTerp8l5XfoZ0Gppp85xXfqZ0bhXfqZkn+3fibk' +
    '6voZk32PfkZk3qufIen36WdAqqGfPsn366dH4gP66RL/oH46xJr6aRP9kH5aRD6snybhj+inQailnzrBR/VTY031Y/pZUfm4fpaU2/pZUPqEfuYU' +
    'P6mfGYVP6WdKvqOfCblP62dM9jP6GZH5rH6GpLv6GZD6nH76JD+vnx6JL+inS7ynnw6xL+qnTfRL+mkR+bJ+moT7+mkQ+op+6gRf1U+NNdWv6WdF' +
    'ZaCfJeWv62dB6Rv6mVP8pn5mFIb6mZL/ln4m5L6tnzHZ7+hnRGaknyHp7+pnQOp7+umT/L5+eiTG+ukS/4F+OsR+qJ820R/pp0Vkop8m4R/rp0Ho' +
    'J/qpE/xUPzXWVKf6WVH5mX6WlH+unwWlX+hnTnGmnxmFX+pnSv5X+pmQ+7V+xmTn+hmR+Y1+hqR/q58Bqd/pp09yoZ8eid/rp0v8D/rpEPujftpE' +
    'l/ppEfmTfpqE/6yfBqG/6Kf+l/0/6N9JjTXVv+pnReVv+llS/rt+FpTW+plT/Id+ZhSu0M+U/JX6mZALNoOLGJPd2AwuZERmczO4gCHprc3gfAak' +
    'QpvBefRJHrQZnEOPxMGbwVl0iR+yGZxBh1h4MzidNtFDN4PTaBE5bDPYRZPwVTaDU2kQimwGp1AnuOpmsJMaa6qHbwaXs6KyYzO4jCXl6GZwKQtK' +
    'V9sM9jCnePXN4BJmFK6xGVzMlHxsM9jNhNwR+hmTvaZ+RmSO1M+QdFw/A1JH6adP8lr66ZG4tn66xBP66RC7jn7aRK+rnxaR6+mnSTipnwah6+un' +
    'TnC0fmqsqd5APysqKf0sKR+jnwWlG+pnTvFG+plRSOtnSv7G+pmQO1Y/Y7LH6WdEJqOfIemb6GdA6qb66ZO8mX56JLL66RI/Xj8dYifop030RP20' +
    'iOT00yR8c/00CN1CP3WCW+qnxppqXj8rKrfSz5LyrfWzoHQb/cwpFvQzo3Bb/UzJ304/E3K318+YbFE/IzIn6WdI+g76GZC6o376JEv66ZG4k366' +
    'xO+snw6xu+inTbSsnxaRu+qnSfhu+mkQurt+6ux9k28nNdZU76GfFZV76mdJ+V76WVCq6mdO8d76mVE4WT9T8vfRz4TcTv2Myd5XPyMy99PPkPT9' +
    '9TMgdYp++iQfoJ8eiQfqp0v8QfrpEDtVP22iD9ZPi8hD9NMk/FD9NAjt0k+d4GH6qbGm+nD9rKg8Qj9LyqfpZ0HpkfqZU3yUfmYUHq2fKfnT9TMh' +
    '9xj9jMk+Vj8jMo/Tz5D0GfoZkHq8fvokn6CfHokz9dMlfpZ+OsSeqJ820bP10yLyJP00CZ+jnwahJ+unTvAU/dRYUz1XPysq5+lnSfmp+llQepp+' +
    '5hSfrp8ZhfP1MyX/DP1MyD1TP2Oyz9LPiMwF+hmSfrZ+BqSeo58+yefqp0fiQv10iT9PPx1iz9dPm+gL9NMicpF+moRfqJ8GoRfpp07wYv3UWFPd' +
    'rZ8VlZfoZ0n5pfpZUHqZfuYUL9bPjMLL9TMl/wr9TMi9Uj9jspfoZ0TmVfoZkn61fgakXqOfPsk9+umReK1+usRfp58Osdfrp030Uv20iLxBP03C' +
    'b9RPg9Cb9FN/0/43+HdSY031zfpZUXmLfpaU36qfBaXL9TOn+Db9zCi8XT9T8u/Qz4RcTT9jsu/Uz4jMu/QzJP1u/QxI1fXTJ/ke/fRIvFc/XeLv' +
    '00+HWEM/baLv10+LyAf00yT8Qf00CDX1Uyf4kH5qrKl+WD8rKh/Rz5JySz8LSh/Vz5zix/Qzo/Bx/UzJt/UzIfcJ/YzJflI/IzKf0s+QdEc/A1Kf' +
    '1k+f5Gf00yPxWf10iXf10yH2Of20iX5ePy0iX9BPk3BPPw1CX9RPneBL+qmxpvpl/ayo9PWzpPwV/SwofVU/c4pf08+MwkA/U/Jf18+E3Df0Myb7' +
    'Tf2MyAz1MyT9Lf0MSH1bP32S39FPj8RIP13i39VPh9j39NMm+n39tIiM9dMk/AP9NAj9UD91gh/pp8aa6kQ/Kyo/1s+S8k/0s6D0U/3MKU71M6Pw' +
    'M/1Myf9cPxNyv9DPmOxMPyMyv9TPkPSv9DMg9Wv99EnO9dMj8Rv9dIn/Vj8dYr/TT5voQj8tIr/XT5PwH/TTIPRH/dT/uP+Xe3ZSY031T/pZUfmz' +
    'fpaU/6KfBaWVfuYU/6qfGYW/6WdK/u/6mZBb62dM9h/6GZG5Qj9D0lfqZ0Aq2ArOo09yYys4hx6Jza3gLLrEt7aCM+gQC20Fp9MmetBWcBotIgdv' +
    'BbtoEj5kKziVBqHwVnAKdYJDt4Kd1FhTPWwruJwVlatsBZexpBzZCi5lQemqW8Ee5hQP3wouYUZhx1ZwMVPy0a1gNxNyV9sKLmJM9upbwYWMyFxj' +
    'K7iAIenYVnA+A1JH6KdP8pr66ZE4Uj9d4nH9dIgdpZ820Wvpp0Xk2vppEk7op0HoOvqpE1xXPzXWVK+nnxWVpH6WlK+vnwWlo/Uzp3gD/cwopPQz' +
    'JX+MfibkbqifMdkb6WdEJq2fIekb62dA6lj99Ekep58eiYx+usRvop8OsZvqp030ZvppEcnqp0n4eP00CJ2gnzrBifqpsaaa+7dfuPvnhb2/L1cs' +
    '7v1Re/C7s888N5lNnvmo5OMf9oSnJg8PbnnU8TuDHYcHJx51woH1xANr7sB68wPrLfavOyqbV/6v3l5ddeDOPvMwR3PH8oor/5dvs2py71NqcESw' +
    '99lxzFHZ/P5ny3/4rNpx9OaRO44Njtxxu80TD7tz8J8sB25x2MGbe3fwHyzbM7ZnbM/YnrE9Y3vG9oztGdsztmdsz9iesT1je8b2jO0Z2zO2Z2zP' +
    '2J6xPePAEqueeW7yhOQrQ0EQvuLKHfng0P/BxB2xzUN3JIJj/icjs5vHbE/ZnrI9ZXvK/2PKsdV971n+6/3Nve8/BQfOmxIJYsHB+85KEt1/7pIg' +
    'FOR8TP3b+VIuOHC7xoH1389r8v/j/Cp7OGnfOV7+Cw==',
  union:
    'jVA7DsIwDH0p/URVhDJUqAMDAwMj3ICrIHEFNo7BoTgCIyO3CM+OK0rEgCvr+fk5tuuUUnoCiBDrEdCigWdEczVqwp01go4ueCMnW46Mt5ar6Gf6' +
    'zuoudM9PVD+rgemP3KORuaPpk3ZQnmdHDHzfouNmwvKerhJcF+/2OjPQO50p6aPpHJdexMF4wMr+NGhnLGrdY4PJevKg28strnYjh4+1s3jKe3yb' +
    'LzAWeiz0seinqxUcf/BfeYlPs3sIvgE=',
  empty:
    'dZOhUsNAEIY3bZJ2SpgJMxERFX0ABAKJiOABKhGYUo5Oh5AyTeiAQyIQCCSig0IgeQAEAtEHQCB5AAQCQXv8u5dOMyHczN+75L7b3fy31VrraZ3I' +
    'Jx4t8sglh5pYYVg22Zhu5lrzvAY91YiuoG3oyyKaQXdQBIXQHphNiPnPH60RxOXYQf5OwkIj6B37wVyYehVzBN0veL9GO4bbYCbMOWb8fD7hvGCm' +
    'mjlaZ6aTcyhV6uKzDUgl2XioUtoHf2vi1vxCXB4ONOnFZwrzpdRAViT5ArjDcTx58nO8XD8spWN1Qc+I/21yhFXfOIE+sN+WHJb33/fFkAdmd1Fd' +
    'L8/DTLENtKVX9WaGb5V5jpnhrpuQm7+ZGtauqvMAusb+SyF/mUmgR130KpT47BX7ZryyHD4XFe5nWf/hsJ/xuikO2/LrybMHNeSZA/C5EHm6kssK' +
    'qu4u7o0HfHcRmHO98rZT8DaU2Ogdlaa9ARoC4xTsg+H/9FC38M1Lr7nf3gzvlOvgXuuPkgz9Rq9gTO+4pd4x59olL8ajWJm1+Q9q4yv9Ag==',
};

/** `saved`, `savedJson`: by save_to_disk, the second with messages as JSON; `large`: of 2500 rows, with blocks of LZ4 that copy from others. */
export const arrowFile = (name: keyof typeof FILES): Uint8Array => inflateRawSync(Buffer.from(FILES[name], 'base64'));
